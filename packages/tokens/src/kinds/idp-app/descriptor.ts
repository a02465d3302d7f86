import { describeKind } from '../../descriptor.ts'
import { APPS, type App } from './apps.data.ts'

export const descriptor = describeKind({
  kind: 'idp-app',
  name: 'App of an identity provider',
  shelf: 'Accounts and keys',
  keywords: ['saml', 'sso', 'single sign-on', 'okta', 'entra', 'google workspace', 'keycloak', 'app', 'tile'],
  firedBy:
    'Somebody opens the app on the page of their identity provider, whose assertion a browser then posts to the token.',
  silencedBy:
    'It stays silent while nobody is assigned to the app, and with validation for assertions that the metadata of the provider does not prove.',
  placement: [
    'Add it as an app of SAML 2.0 to your identity provider, and assign it to everybody: an intruder with a stolen session tries what looks valuable.',
    'Assign it to accounts of administrators alone, under a name such as VPN portal.',
  ],
  logtype: '17030',
  keys: [
    'identity',
    'issuer',
    'attributes',
    'validated',
    'validation_error',
    'useragent',
    'replays',
    'replayed_from',
  ],
  evidence: ['identity', 'validated', 'useragent'],
  meaning:
    'Somebody signed in at the identity provider as the named identity and opened an app that nobody needs. Without validation, anybody who knows the address can have written the name.',
  next: [
    'End the sessions of the identity at the provider, and reset its password and its second factor.',
    'Look in the log of the provider at what else was opened from the same address.',
    'Save the metadata of the provider and enable validation, so that only its own assertions fire.',
  ],
  needsHttps: true,
  downloads: true,
  takesProviderMetadata: true,
  example: {
    touch:
      'curl -s -o /dev/null --data-urlencode "SAMLResponse=$(printf \'<Response xmlns="urn:oasis:names:tc:SAML:2.0:protocol"/>\' | base64)" "$(field renders.acs_url)"',
  },
  settings: {
    idp_app_type: {
      type: 'choice',
      description: 'As which app it is shown to people',
      choices: Object.keys(APPS) as App[],
      default: 'generic',
    },
  },
})
