/** The mark of the portal: its favicons, beside its name, and at the head of the README. */
export const mark =
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32">' +
  '<rect width="32" height="32" rx="8" fill="#3b55d0"/>' +
  '<path d="M8.5 25V15.5a7.5 7.5 0 0 1 15 0V25" fill="none" stroke="#fff" stroke-width="2.5" ' +
  'stroke-linecap="round"/>' +
  '<path d="M13 26.25V16a3 3 0 0 1 6 0v10.25z" fill="#fff" fill-opacity=".6"/></svg>'
