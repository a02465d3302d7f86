// What clients call themselves in the header field User-Agent, by the words of their makers.

export interface NamedClient {
  /** As it stands in front of `/` and the version, in any case. */
  readonly product: string
  /** As people call it, where that is another name. */
  readonly name?: string
}

export interface ClientGroup {
  /** What they are, with its article. */
  readonly what: string
  readonly clients: readonly NamedClient[]
}

const named = (...products: readonly (string | readonly [string, string])[]): NamedClient[] =>
  products.map((it) => (typeof it === 'string' ? { product: it } : { product: it[0], name: it[1] }))

/** In their order: the first that is named counts. */
export const CLIENT_GROUPS: readonly ClientGroup[] = [
  {
    what: 'a link preview',
    clients: named(
      'Slackbot-LinkExpanding',
      'Slackbot',
      'Slack-ImgProxy',
      'Twitterbot',
      ['facebookexternalhit', 'Facebook'],
      'LinkedInBot',
      'TelegramBot',
      'WhatsApp',
      'Discordbot',
      ['SkypeUriPreview', 'Skype or Teams'],
      'BingPreview',
      ['GoogleImageProxy', 'Gmail'],
      'Mattermost-Bot',
    ),
  },
  {
    what: 'a crawler',
    clients: named(
      'Googlebot',
      'bingbot',
      'YandexBot',
      'Baiduspider',
      'DuckDuckBot',
      'Applebot',
      'AhrefsBot',
      'SemrushBot',
      'GPTBot',
      'ClaudeBot',
      'CCBot',
      'archive.org_bot',
    ),
  },
  {
    what: 'a scanner',
    clients: named(
      ['Nmap Scripting Engine', 'nmap'],
      'zgrab',
      'masscan',
      'CensysInspect',
      'Expanse',
      'InternetMeasurement',
      'l9explore',
      'sqlmap',
      'Nikto',
      'gobuster',
      'feroxbuster',
      ['Fuzz Faster U Fool', 'ffuf'],
      'Nuclei',
      'WPScan',
      'DirBuster',
    ),
  },
  {
    what: 'an office program',
    clients: named(
      'LibreOffice',
      ['Microsoft Office', 'Microsoft Office'],
      ['ms-office', 'Microsoft Office'],
    ),
  },
  {
    what: 'a program',
    clients: named(
      'curl',
      'Wget',
      'python-requests',
      'Python-urllib',
      'python-httpx',
      'aiohttp',
      'Go-http-client',
      'okhttp',
      'Apache-HttpClient',
      'Java',
      'libwww-perl',
      ['WindowsPowerShell', 'PowerShell'],
      'PowerShell',
      'axios',
      'node-fetch',
      'undici',
      'HTTPie',
      'PostmanRuntime',
      'git',
      'SVN',
      'npm',
      'yarn',
      'pnpm',
      'kubectl',
      'helm',
      'aws-cli',
      'Boto3',
      'rclone',
      'Microsoft-WebDAV-MiniRedir',
      ['Debian APT-HTTP', 'apt'],
    ),
  },
]

/** Each names itself as those behind it, too. */
export const BROWSERS: readonly NamedClient[] = named(
  ['Edg', 'Edge'],
  ['EdgA', 'Edge'],
  ['EdgiOS', 'Edge'],
  ['OPR', 'Opera'],
  'Vivaldi',
  ['SamsungBrowser', 'Samsung Internet'],
  ['HeadlessChrome', 'Chrome without a window'],
  ['FxiOS', 'Firefox'],
  'Firefox',
  ['CriOS', 'Chrome'],
  'Chrome',
  ['Version', 'Safari'],
  ['Trident', 'Internet Explorer'],
)

/** A part of the text, to the system that it stands for; Android says that it is Linux. */
export const SYSTEMS: readonly (readonly [part: string, system: string])[] = [
  ['Windows', 'Windows'],
  ['iPhone', 'iOS'],
  ['iPad', 'iPadOS'],
  ['Android', 'Android'],
  ['CrOS', 'ChromeOS'],
  ['Mac OS X', 'macOS'],
  ['Linux', 'Linux'],
]
