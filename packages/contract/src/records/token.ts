// A token as the API shows it (2.9), and what its kinds ask for when it is made (4.11).
import Type from 'typebox'
import { count, flag, text, upload, withDefault } from '../fields.ts'

export const decoytoken = Type.String({ maxLength: 64 })

export const kind = Type.String({ maxLength: 64, says: { tooLong: 'Supplied kind is not valid.' } })

const line = (description: string) => Type.Optional(Type.String({ description, maxLength: 2048 }))
const file = (description: string) => Type.Optional({ ...upload, description })

export const custom_domain = line('Domain to use in the URL and the host name instead of the console’s')

/** What one kind or another takes besides a memo; a kind takes what it knows and leaves the rest. */
export const kindSettings = {
  browser_scanner_enabled: withDefault(flag, true),
  browser_redirect_url: line('Required for fast-redirect and slow-redirect'),
  web_image: file('Required for web-image'),
  cloned_web: line('Domain; required for cloned-web'),
  expected_referrer: line('For cloned-css and cloud-b-login'),
  expiry: line('Units y, mo, w, d, h; for cloud-a-id'),
  exe: file('Required for signed-exe'),
  doc: file('Word document; for doc-wordproc'),
  pdf: file('For pdf-reader'),
  idp_app_type: line('For the identity-provider app'),
  process_name: line('Required for sensitive-cmd'),
  pwa_app_name: line('For pwa'),
  pwa_icon: line('For pwa'),
  azure_id_cert_file_name: line('Required for cloud-b-id'),
  tokened_usernames: line('Separated by commas; required for directory-login'),
}

/** The fields of other kinds are left out. */
export const Token = Type.Object({
  decoytoken: text,
  created: Type.String({ description: 'When it was made, epoch seconds with six decimals' }),
  created_printable: text,
  enabled: flag,
  flock_id: text,
  hostname: text,
  key: Type.String({ description: '`decoydrop:` and its id' }),
  kind: text,
  memo: text,
  renders: Type.Record(text, text),
  triggered_count: count,
  updated_id: count,
  url: text,
})

/** As its maker sees it. */
export const CreatedToken = Type.Object({
  ...Token.properties,
  factory_auth: Type.Optional(
    Type.String({ description: 'The factory that made it; absent when an API key did' }),
  ),
})
