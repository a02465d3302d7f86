// Known scanners that open planted files: a note explains their touches, and people may ignore it. A scanner is
// recognised by its networks alone. An intruder can send any user agent, and an ignored annotation raises nothing.

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

export const annotations: readonly Annotation[] = [
  {
    name: 'palo_alto_pdf',
    nice_name: 'Palo Alto Networks PDF scan',
    text: 'This looks like Palo Alto Networks WildFire, which opens documents in a sandbox to judge them.',
    kb_link: 'https://docs.paloaltonetworks.com/advanced-wildfire',
    kinds: ['pdf-reader'],
    // Networks that AS54538 (Palo Alto Networks) announces.
    networks: [
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
    ],
  },
  {
    name: 'm365_defender_pdf',
    nice_name: 'Microsoft 365 Defender PDF scan',
    text: 'This looks like Microsoft Defender for Office 365, which opens attachments in a sandbox (Safe Attachments).',
    kb_link: 'https://learn.microsoft.com/defender-office-365/safe-attachments-about',
    kinds: ['pdf-reader'],
    // Networks of Exchange Online Protection, as Microsoft publishes them, and of Safe Links (40.94.0.0/15).
    networks: [
      '40.92.0.0/15',
      '40.94.0.0/15',
      '40.107.0.0/16',
      '52.100.0.0/14',
      '52.238.78.88',
      '104.47.0.0/17',
      '2a01:111:f400::/48',
      '2a01:111:f403::/48',
    ],
  },
]

export const findAnnotation = (name: string): Annotation | undefined =>
  annotations.find((annotation) => annotation.name === name)
