type Colour = readonly [red: number, green: number, blue: number]

const white: Colour = [255, 255, 255]
const black: Colour = [0, 0, 0]
/** The surfaces of `src/pages/shared/tokens.css` on which text has the least contrast. */
const day: Colour = [239, 241, 244]
const night: Colour = [30, 34, 42]
/** Minimum contrast of text, by WCAG 2.2 (1.4.3). */
const enough = 4.5

/**
 * A style sheet that replaces the accent of the pages. Text in this colour and on it stays readable
 * in light and dark mode.
 * @param accent `#rrggbb`
 */
export function accentStyle(accent: string): string {
  const own = parseColour(accent)
  const inverse = inverseOf(own)
  const hover = mix(own, inverse === white ? black : white, 0.15)
  const light = inMode(own, day, black)
  const dark = inMode(own, night, white)
  const both = (name: keyof typeof light) => `light-dark(${css(light[name])},${css(dark[name])})`
  return `:root{
--accent:${both('text')};
--accent-text-hover:${both('hover')};
--focus:${both('text')};
--accent-soft:${both('soft')};
--accent-fill:${css(own)};
--accent-hover:${css(hover)};
--on-accent:${css(inverse)}
}
`
}

function inMode(own: Colour, background: Colour, towards: Colour) {
  const soft = mix(background, own, 0.1)
  const text = readable(own, [background, soft], towards)
  return { text, soft, hover: mix(text, towards, 0.2) }
}

const inverseOf = (own: Colour) => (contrast(own, white) >= enough ? white : black)

/** The colours of a button: those of `tokens.css` without ACCOUNT_ACCENT. */
export const buttonColours = (accent = '#3b55d0') => ({
  fill: accent,
  on: css(inverseOf(parseColour(accent)))
})

/** @param text `#rrggbb` */
export function parseColour(text: string): Colour {
  const part = (at: number) => parseInt(text.slice(at, at + 2), 16)
  return [part(1), part(3), part(5)]
}

/** The colour, mixed with another one until it has enough contrast to the backgrounds. */
function readable(colour: Colour, backgrounds: readonly Colour[], towards: Colour) {
  for (let share = 0; share < 1; share += 0.05) {
    const mixed = mix(colour, towards, share)
    if (backgrounds.every((each) => contrast(mixed, each) >= enough)) return mixed
  }
  return towards
}

const mix = (one: Colour, other: Colour, share: number): Colour => [
  Math.round(one[0] + (other[0] - one[0]) * share),
  Math.round(one[1] + (other[1] - one[1]) * share),
  Math.round(one[2] + (other[2] - one[2]) * share)
]

const css = (colour: Colour) =>
  `#${colour.map((part) => part.toString(16).padStart(2, '0')).join('')}`

/** From 1 to 21. */
export function contrast(one: Colour, other: Colour): number {
  const [dark = 0, light = 0] = [luminance(one), luminance(other)].sort((a, b) => a - b)
  return (light + 0.05) / (dark + 0.05)
}

function luminance(colour: Colour) {
  const [red = 0, green = 0, blue = 0] = colour.map((part) => {
    const share = part / 255
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4
  })
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}
