import t from 'tap'
import { browserOf } from '../../src/common/browsers.ts'

const chrome = 'AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0'
const iphone =
  'Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko)'
const agents: [userAgent: string | null, name: string | undefined][] = [
  [`Mozilla/5.0 (X11; Linux x86_64) ${chrome} Safari/537.36`, 'Chrome, Linux'],
  [`Mozilla/5.0 (Linux; Android 10; K) ${chrome} Mobile Safari/537.36`, 'Chrome, Android'],
  [`Mozilla/5.0 (X11; CrOS x86_64 14541.0.0) ${chrome} Safari/537.36`, 'Chrome, ChromeOS'],
  [`Mozilla/5.0 (Windows NT 10.0) ${chrome} Safari/537.36 Edg/140.0.0.0`, 'Edge, Windows'],
  [`Mozilla/5.0 (Windows NT 10.0) ${chrome} Safari/537.36 OPR/120.0`, 'Opera, Windows'],
  [
    `Mozilla/5.0 (Linux; Android 13; SM-S901B) SamsungBrowser/28.0 ${chrome}`,
    'Samsung Internet, Android'
  ],
  [
    'Mozilla/5.0 (Macintosh; Intel Mac OS X 10.15; rv:140.0) Gecko/20100101 Firefox/140.0',
    'Firefox, macOS'
  ],
  [`${iphone} Version/18.5 Mobile/15E148 Safari/604.1`, 'Safari, iOS'],
  [`${iphone} CriOS/140.0 Mobile/15E148 Safari/604.1`, 'Chrome, iOS'],
  [
    `Mozilla/5.0 (X11; Linux x86_64) ${chrome.replace('Chrome', 'HeadlessChrome')} Safari/537.36`,
    'Chrome, Linux'
  ],
  ['curl/8.5.0', 'curl'],
  ['Wget/1.21.4', 'Wget'],
  ['PostmanRuntime/7.43.0', 'Postman'],
  ['node', 'Node.js'],
  ['python-requests/2.32.3', 'Python'],
  ['Python/3.12 aiohttp/3.10', 'Python'],
  ['Go-http-client/1.1', 'Go'],
  ['Java-http-client/21.0.4', 'Java'],
  ['okhttp/4.12.0', 'OkHttp'],
  [
    'Mozilla/5.0 (Windows NT; Windows NT 10.0; de-DE) WindowsPowerShell/5.1.22621',
    'PowerShell, Windows'
  ],
  ['something/1.0 like curl/8.5.0', undefined],
  ['Linux is great http://evil.example', 'Linux'],
  ['<b>Firefox/1</b>', 'Firefox'],
  ['', undefined],
  [null, undefined]
]

for (const [userAgent, name] of agents) {
  t.test(`${name ?? 'nothing known'}: ${userAgent}`, async (t) =>
    t.equal(browserOf(userAgent), name)
  )
}
