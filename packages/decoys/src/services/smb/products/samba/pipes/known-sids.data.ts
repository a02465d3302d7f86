// The names that Samba has for well-known SIDs ([MS-DTYP] 2.4.2.4), as it gives them.

/** Groups of S-1-5-32, by relative id. */
export const BUILTIN_NAMES: Readonly<Record<number, string>> = {
  544: 'Administrators',
  545: 'Users',
  546: 'Guests',
  547: 'Power Users',
  548: 'Account Operators',
  549: 'Server Operators',
  550: 'Print Operators',
  551: 'Backup Operators',
  552: 'Replicator',
  553: 'RAS Servers',
  554: 'Pre-Windows 2000 Compatible Access',
  555: 'Remote Desktop Users',
  556: 'Network Configuration Operators',
  557: 'Incoming Forest Trust Builders',
  558: 'Performance Monitor Users',
  559: 'Performance Log Users',
  560: 'Windows Authorization Access Group',
  561: 'Terminal Server License Servers',
  562: 'Distributed COM Users',
  569: 'Cryptographic Operators',
  573: 'Event Log Readers',
  574: 'Certificate Service DCOM Access',
}

/** By authority: the name of its domain, and its members. */
export const WELL_KNOWN: Readonly<
  Record<number, { readonly domain: string; readonly names: Readonly<Record<number, string>> }>
> = {
  1: { domain: '', names: { 0: 'Everyone' } },
  2: { domain: '', names: { 0: 'Local', 1: 'Console Logon' } },
  3: {
    domain: '',
    names: {
      0: 'Creator Owner',
      1: 'Creator Group',
      2: 'Creator Owner Server',
      3: 'Creator Group Server',
      4: 'Owner Rights',
    },
  },
  5: {
    domain: 'NT Authority',
    names: {
      1: 'Dialup',
      2: 'Network',
      3: 'Batch',
      4: 'Interactive',
      6: 'Service',
      7: 'Anonymous Logon',
      8: 'Proxy',
      9: 'Enterprise Domain Controllers',
      10: 'Self',
      11: 'Authenticated Users',
      12: 'Restricted',
      13: 'Terminal Server User',
      14: 'Remote Interactive Logon',
      15: 'This Organization',
      17: 'IUSR',
      18: 'SYSTEM',
      19: 'Local Service',
      20: 'Network Service',
    },
  },
}
