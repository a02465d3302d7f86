// Known scanners that open planted files and links: a note explains their touches, and people may ignore it. A scanner is
// recognised by its networks alone. An intruder can send any user agent, and an ignored annotation raises nothing. So the
// exits of iCloud Private Relay are not here, by which Apple Mail fetches pictures: people browse through them, too.

export interface Annotation {
  /** The name by which the API refers to it. */
  readonly name: string
  readonly nice_name: string
  readonly text: string
  /** The vendor's page about the scanner. */
  readonly kb_link: string
  /** Kinds of tokens that it is known to touch. */
  readonly kinds: readonly string[]
  /** Addresses and CIDR ranges. */
  readonly networks: readonly string[]
}

/** Networks that AS54538 (Palo Alto Networks) announces. */
const PALO_ALTO = [
  '65.154.226.0/24',
  '65.155.38.0/24',
  '66.232.34.0/24',
  '66.232.36.0/23',
  '66.232.40.0/24',
  '70.42.131.0/24',
  '72.165.69.0/24',
  '74.201.127.0/24',
  '144.125.105.0/24',
  '147.185.136.0/24',
  '154.59.123.0/24',
  '154.59.126.0/24',
  '165.85.144.0/23',
  '165.85.149.0/24',
  '165.85.151.0/24',
  '165.85.250.0/23',
  '165.85.252.0/24',
  '169.224.130.0/23',
  '169.224.138.0/24',
  '199.167.52.0/23',
  '202.189.133.0/24',
]

/** Networks of Exchange Online Protection, as Microsoft publishes them, and of Safe Links (40.94.0.0/15). */
const MICROSOFT = [
  '40.92.0.0/15',
  '40.94.0.0/15',
  '40.107.0.0/16',
  '52.100.0.0/14',
  '52.238.78.88',
  '104.47.0.0/17',
  '2a01:111:f400::/48',
  '2a01:111:f403::/48',
]

/** Networks of the mail gateways of Proofpoint, as it publishes them for customers to admit. */
const PROOFPOINT = [
  '62.209.50.0/23',
  '67.231.144.0/20',
  '91.207.212.0/23',
  '91.209.104.0/24',
  '148.163.128.0/19',
  '185.132.180.0/22',
  '185.183.28.0/22',
  '205.220.160.0/19',
]

/** The same of Barracuda. */
const BARRACUDA = ['64.235.144.0/20', '209.222.80.0/21']

/** Networks whose addresses have names of the form google-proxy-66-249-80-1.google.com. */
const GOOGLE_PROXY = [
  '64.233.172.0/23',
  '66.102.6.0/23',
  '66.102.8.0/23',
  '66.249.80.0/20',
  '72.14.199.0/24',
  '74.125.208.0/21',
  '74.125.216.0/22',
]

/** What people send as a link, or see in a mail. */
const LINKS = ['http', 'web-image', 'qr-code', 'fast-redirect', 'slow-redirect']
/** What people send as a file. */
const FILES = [
  ...['doc-wordproc', 'doc-spreadsheet', 'wordproc-macro', 'spreadsheet-macro'],
  ...['signed-exe', 'os-dir'],
]

export const annotations: readonly Annotation[] = [
  {
    name: 'palo_alto_pdf',
    nice_name: 'Palo Alto Networks PDF scan',
    text: 'This looks like Palo Alto Networks WildFire, which opens documents in a sandbox to judge them.',
    kb_link: 'https://docs.paloaltonetworks.com/advanced-wildfire',
    kinds: ['pdf-reader'],
    networks: PALO_ALTO,
  },
  {
    name: 'm365_defender_pdf',
    nice_name: 'Microsoft 365 Defender PDF scan',
    text: 'This looks like Microsoft Defender for Office 365, which opens attachments in a sandbox (Safe Attachments).',
    kb_link: 'https://learn.microsoft.com/defender-office-365/safe-attachments-about',
    kinds: ['pdf-reader'],
    networks: MICROSOFT,
  },
  {
    name: 'palo_alto_sandbox',
    nice_name: 'Palo Alto Networks sandbox',
    text: 'This looks like Palo Alto Networks WildFire, which opens files and follows links in a sandbox to judge them.',
    kb_link: 'https://docs.paloaltonetworks.com/advanced-wildfire',
    kinds: [...LINKS, ...FILES],
    networks: PALO_ALTO,
  },
  {
    name: 'm365_safe_links',
    nice_name: 'Microsoft 365 Safe Links',
    text: 'This looks like Microsoft Defender for Office 365, which follows the links of a mail before people do (Safe Links).',
    kb_link: 'https://learn.microsoft.com/defender-office-365/safe-links-about',
    kinds: LINKS,
    networks: MICROSOFT,
  },
  {
    name: 'm365_safe_attachments',
    nice_name: 'Microsoft 365 Safe Attachments',
    text: 'This looks like Microsoft Defender for Office 365, which opens attachments in a sandbox (Safe Attachments).',
    kb_link: 'https://learn.microsoft.com/defender-office-365/safe-attachments-about',
    kinds: FILES,
    networks: MICROSOFT,
  },
  {
    name: 'proofpoint_scan',
    nice_name: 'Proofpoint mail gateway',
    text: 'This looks like the mail gateway of Proofpoint, which follows links and opens attachments to judge them.',
    kb_link: 'https://www.proofpoint.com/us/products/email-security-and-protection',
    kinds: ['pdf-reader', ...LINKS, ...FILES],
    networks: PROOFPOINT,
  },
  {
    name: 'barracuda_scan',
    nice_name: 'Barracuda mail gateway',
    text: 'This looks like the mail gateway of Barracuda, which follows links and opens attachments to judge them.',
    kb_link: 'https://campus.barracuda.com/product/emailgatewaydefense/',
    kinds: ['pdf-reader', ...LINKS, ...FILES],
    networks: BARRACUDA,
  },
  {
    name: 'google_image_proxy',
    nice_name: 'Google image proxy',
    text: 'This looks like a proxy of Google, by which Gmail shows the pictures of a mail: the reader is hidden behind it. Other services of Google fetch pages by it, such as Google Translate for its users.',
    kb_link: 'https://support.google.com/mail/answer/145919',
    kinds: LINKS,
    networks: GOOGLE_PROXY,
  },
]

export const findAnnotation = (name: string): Annotation | undefined =>
  annotations.find((annotation) => annotation.name === name)
