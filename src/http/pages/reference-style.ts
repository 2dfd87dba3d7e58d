import { siteStyle } from '../../html.ts'

/**
 * What Swagger UI looks like in the portal: its own styles for light and dark, in the colours and
 * the type of the other pages, and within the width of a phone. `dark-mode` is its class.
 */
export const referenceStyle = `${siteStyle}
html.dark-mode, html.dark-mode body, html.dark-mode .swagger-ui { background: var(--surface) }
.site > div { max-width: 1460px; padding-inline: 20px }

/* Its own rules name a class of html in dark mode: these are as specific. */
html .swagger-ui, html .swagger-ui :is(.info .title, .opblock-tag, .opblock-description-wrapper,
  .opblock-summary-description, .opblock-summary-method, .opblock-section-header h4, .tab li,
  table thead tr th, .parameter__name, .parameter__type, .btn, .markdown p, .renderedMarkdown p,
  .response-col_status, .model-title, .info p, .info a, .info li, .opblock-tag small, select,
  label, .servers-title) {
  font-family: system-ui, -apple-system, 'Segoe UI', Roboto, 'Noto Sans', sans-serif;
}
html .swagger-ui, html .swagger-ui :is(.info .title, .opblock-tag) { color: var(--text) }
html .swagger-ui .info { margin: 2rem 0 1rem }
html .swagger-ui .info .title { font-size: 1.5rem }
html:is(.dark-mode, :not(.dark-mode)) .swagger-ui .scheme-container {
  margin: 0; padding: 1rem 0; border: 0; background: var(--surface); box-shadow: none;
}
html .swagger-ui :is(.info, .markdown, .renderedMarkdown) a { color: var(--accent) }
html .swagger-ui .opblock-tag { border-color: var(--line); font-size: 1.125rem }
html .swagger-ui .opblock { border-radius: .375rem; box-shadow: none }
html .swagger-ui .opblock .opblock-section-header { box-shadow: none }
/* No response has links. */
html .swagger-ui .response-col_links { display: none }
html .swagger-ui .btn.execute {
  border-color: var(--accent-fill); background: var(--accent-fill); color: #fff;
}

@media (max-width: 48rem) {
  html .swagger-ui .wrapper { padding: 0 1rem }
  html .swagger-ui .opblock-tag { padding-inline: 0 }
  html .swagger-ui .opblock .opblock-summary { padding: .5rem }
  html .swagger-ui .opblock .opblock-summary-method { min-width: 4.5rem }
  html .swagger-ui .opblock .opblock-summary-path { max-width: none; overflow-wrap: anywhere }
  html .swagger-ui .opblock .opblock-summary-description { padding: 0 10px; text-align: start }
  html .swagger-ui .parameters-col_name { width: 7rem }
  html .swagger-ui :is(.microlight, .markdown code) { overflow-wrap: anywhere }
}
`

/** Follows the setting of the reader. Runs in the browser. */
export const referenceScript = `(() => {
  const dark = matchMedia('(prefers-color-scheme: dark)')
  const follow = () => document.documentElement.classList.toggle('dark-mode', dark.matches)
  dark.addEventListener('change', follow)
  follow()
})()
`
