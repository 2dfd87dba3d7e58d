const icon = document.querySelector<HTMLLinkElement>('link[rel=icon]')?.href

/** The mark of the portal, which is also the icon of the page. */
export const Mark = () => <img class="mark" src={icon} alt="" width={24} height={24} />
