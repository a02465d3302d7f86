import { describeKind } from '../../descriptor.ts'
import { ICON_NAMES } from './artworks.ts'

export const descriptor = describeKind({
  kind: 'pwa',
  name: 'Fake app',
  shelf: 'Links and pages',
  keywords: ['app', 'pwa', 'phone', 'tablet', 'mobile', 'home screen', 'installed', 'android', 'ios'],
  firedBy: 'Somebody opens the installed app; the same page in a tab of a browser does not fire.',
  silencedBy:
    'It stays silent where the device cannot reach the token host, and while the app is not installed: the page, its manifest and its icons raise nothing.',
  placement: [
    'Open the URL on a phone that you carry over a border or leave in a hotel, and add it to the home screen.',
    'Install it on a tablet or a notebook that lies about in a reception or a meeting room.',
  ],
  logtype: '17028',
  keys: ['display_mode', 'location', 'useragent', 'additional_info'],
  evidence: ['useragent', 'display_mode', 'additional_info'],
  meaning: 'Somebody unlocked the device of the memo, and opened the app on it.',
  next: [
    'Find out where the device is, and who had it at that time.',
    'Lock it from afar, and end its sessions: what was open on it can be read.',
    'Compare the source address with the networks in which the device usually is.',
  ],
  needsHttps: true,
  example: { touch: 'curl -s -o /dev/null --json \'{"display_mode":"standalone"}\' "$(field url)"' },
  settings: {
    pwa_app_name: {
      type: 'text',
      description: 'The name below the icon, of at most 45 characters',
      maxLength: 45,
      default: 'Files',
    },
    pwa_icon: {
      type: 'choice',
      description: 'The icon of the app',
      choices: ICON_NAMES,
      default: 'folder',
    },
  },
})
