// The first that fits: most browsers also claim to be one of those below them.
const browsers: [pattern: RegExp, name: string][] = [
  [/\bEdg(?:e|A|iOS)?\//, 'Edge'],
  [/\bOPR\/|\bOpera\b/, 'Opera'],
  [/\bSamsungBrowser\//, 'Samsung Internet'],
  [/\b(?:Firefox|FxiOS)\//, 'Firefox'],
  [/\b(?:(?:Headless)?Chrome|CriOS|Chromium)\//, 'Chrome'],
  [/\bSafari\//, 'Safari']
]
/** They begin with their name. */
const programs: [pattern: RegExp, name: string][] = [
  [/^curl\//, 'curl'],
  [/^Wget\//, 'Wget'],
  [/^HTTPie\//, 'HTTPie'],
  [/^PostmanRuntime\//, 'Postman'],
  [/^(?:node|undici|axios)\b/, 'Node.js'],
  [/^python\b/i, 'Python'],
  [/^Go-http-client\//, 'Go'],
  [/^Java\b/, 'Java'],
  [/^okhttp\//, 'OkHttp'],
  [/^Dart\//, 'Dart'],
  [/PowerShell\//, 'PowerShell']
]
const systems: [pattern: RegExp, name: string][] = [
  [/\bAndroid\b/, 'Android'],
  [/\b(?:iPhone|iPad|iPod)\b/, 'iOS'],
  [/\bWindows\b/, 'Windows'],
  [/\bCrOS\b/, 'ChromeOS'],
  [/\bMac OS X\b/, 'macOS'],
  [/\bLinux\b/, 'Linux']
]

/**
 * Names the browser or program and the system of a User-Agent, as in `Firefox, Windows` or `curl`;
 * undefined when none is known. Nothing of the header itself is repeated, because it can say
 * anything.
 */
export function browserOf(userAgent: string | null | undefined): string | undefined {
  const parts = [[...browsers, ...programs], systems].flatMap(
    (list) => list.find(([pattern]) => pattern.test(userAgent ?? ''))?.[1] ?? []
  )
  return parts.length > 0 ? parts.join(', ') : undefined
}
