import { describeKind } from '../../descriptor.ts'

export const descriptor = describeKind({
  kind: 'cloud-b-login',
  name: 'Cloud login page (Microsoft Entra)',
  shelf: 'Cloned sites',
  keywords: ['entra', 'azure', 'microsoft 365', 'office', 'login', 'phishing', 'branding', 'css'],
  firedBy:
    'A browser that shows the login page of your tenant, with its custom CSS, on another site than that of Microsoft.',
  silencedBy:
    'It stays silent when the copy leaves the CSS out, when the browser sends no Referer header, and for hours where the branding is cached.',
  placement: [
    'Let the console install it, or upload the CSS in the Entra admin centre: Company branding, Layout, Custom CSS. Branding needs Entra ID P1.',
    'Append it to the custom CSS that you have there already, unless that sets the background of the body.',
  ],
  logtype: '17026',
  keys: ['referer', 'referer_host', 'expected_referrer', 'useragent', 'ja4'],
  evidence: ['referer_host', 'useragent', 'expected_referrer'],
  meaning:
    'The login page of your tenant was shown by the site in referer_host, which passes logins on to Microsoft and reads them. The source address is that of its visitor.',
  next: [
    'Look in the sign-in log of the tenant for logins at that time, from the address of the copy.',
    'Find the person at the source address: revoke their sessions and change their password, second factor or not.',
    'Have the site taken down, and block its name.',
  ],
  needsHttps: true,
  provider: { name: 'entra', fixed: ['cloud_b_install'] },
  showsPicture: true,
  example: { touch: 'curl -s -o /dev/null -e https://copy.example.net/ "$(field url)"' },
  settings: {
    expected_referrer: {
      type: 'domain',
      description: 'The domain of the real login page, which does not fire',
      default: 'microsoftonline.com',
    },
    cloud_b_install: {
      type: 'boolean',
      description: 'Whether the console adds the rule to the custom CSS of the tenant by itself',
      default: false,
    },
  },
})
