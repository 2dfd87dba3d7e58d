/* global mermaid */
// Only on pages with a diagram.
mermaid.initialize({
  startOnLoad: true,
  theme: window.matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'neutral'
})
