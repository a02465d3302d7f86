// What a token kind says of itself: pure data that also loads in a browser.
import type { Logtype, LogtypeFacts } from '@rookery/kernel/logtype.ts'
import type { FileFormat } from './file-format.ts'

interface CommonFacts {
  /** One line for the reference and for forms, without a full stop. */
  readonly description: string
  readonly required?: boolean
}

export interface TextRules {
  /** In characters; without it 2,048. */
  readonly maxLength?: number
  /** The characters that it may hold, as the inside of a regular expression's class: `A-Za-z0-9_.-`. */
  readonly characters?: string
}

/** A parameter of `factory/create` that a kind takes besides the common ones. A default is written as callers write it. */
export type TokenSettingDescriptor = CommonFacts &
  /** With `sealed` it is a secret: the database holds it sealed, and no text to plant that is made of it. */
  (
    | ({ readonly type: 'text'; readonly default?: string; readonly sealed?: true } & TextRules)
    /** Absolute, http or https. With `elsewhere` it must not lead to the console, by any of its hosts. */
    | { readonly type: 'url'; readonly default?: string; readonly elsewhere?: true }
    | { readonly type: 'boolean'; readonly default?: boolean }
    /** Uploaded, as multipart/form-data; its bytes show its format. */
    | { readonly type: 'file'; readonly maxBytes: number; readonly formats: readonly FileFormat[] }
    /** A DNS name, or a URL that has it; read in lower case, without scheme, port, path, `*.` and a dot at its end. */
    | { readonly type: 'domain'; readonly default?: string }
    | { readonly type: 'choice'; readonly choices: readonly string[]; readonly default?: string }
    /** Separated by commas; read as distinct texts, each by the rules. */
    | ({ readonly type: 'list'; readonly maxItems: number; readonly default?: string } & TextRules)
    /** Written as `12h` or `30d`, `min` and `max` too, with the units y, mo, w, d, h; read as milliseconds. */
    | { readonly type: 'duration'; readonly min: string; readonly max: string; readonly default?: string }
  )

export type TokenSettingType = TokenSettingDescriptor['type']

export interface TokenProvider {
  /** A folder of `providers/`. */
  readonly name: string
  /** The setting that names another folder instead, where several providers issue the same: a choice of folders. */
  readonly chosenBy?: string
  /** Settings that the provider was given, or that say whether there is one: they cannot be changed then. */
  readonly fixed: readonly string[]
}

/** How a newcomer creates a token on a fresh start, and sees it fire. The reference page of kinds has both. */
export interface TokenExample {
  /** Parameters besides `kind` and `memo`, as a form has them; `@<path>` is a file. */
  readonly settings: Readonly<Record<string, string>>
  /** Programs that `touch` needs besides curl and jq. */
  readonly needs: readonly string[]
  /**
   * A line of sh that fires it. The page explains its functions `api`, `field` and `download`; `{dns}`, `{mysql}` and
   * `{postgres}` stand for ports.
   */
  readonly touch: string
}

export interface TokenDescriptor extends Logtype, LogtypeFacts {
  /** The value of `kind` (specification 2.10), which is the folder's name. */
  readonly kind: string
  /** The display name. */
  readonly name: string
  /** Under which heading the gallery shows it, such as `Links and pages`. */
  readonly shelf: string
  /** What people type to find it, such as `excel` or `aws`; in lower case. */
  readonly keywords: readonly string[]
  /** What fires it, in a sentence. */
  readonly firedBy: string
  /** What keeps it from firing, in a sentence. */
  readonly silencedBy: string
  /** Where to put it: up to three places, each a sentence. */
  readonly placement: readonly string[]
  /** Event keys of the kind's own, besides `COMMON_KEYS`. */
  readonly keys: readonly string[]
  readonly example: TokenExample
  /** Parameters of `factory/create` that it takes besides the common ones, by name. */
  readonly settings: Readonly<Record<string, TokenSettingDescriptor>>
  /** Has a list of sites where a copy raises nothing (4.10). */
  readonly ignoresSites?: boolean
  /** Takes the metadata of an identity provider, by which it validates assertions (4.3). */
  readonly takesProviderMetadata?: boolean
  /** Browsers or clients want HTTPS for it: its artefacts name HTTPS, if there is an address for that. */
  readonly needsHttps?: boolean
  /** Programs show its URL as a picture: the URL ends as that of one. */
  readonly showsPicture?: boolean
  /** Each character of its URL counts: it has one folder. */
  readonly needsShortUrl?: boolean
  /** The longest text, with its dot, that its artefact puts in front of the token's host name; without it there is none. */
  readonly lookUpCharacters?: number
  /** The account at a service that issues what its artefacts show, and reports its use. */
  readonly provider?: TokenProvider
  /** Has a file to download. */
  readonly downloads: boolean
  /**
   * The setting whose upload the file replaces: it is made once, when the token is created or changed, and stored, since it
   * would be another each time.
   */
  readonly kept?: string
}

/** The providers of which a token of the kind may need one. */
export function providersOf({
  provider,
  settings,
}: Pick<TokenDescriptor, 'provider' | 'settings'>): string[] {
  if (!provider) return []
  const choice = provider.chosenBy === undefined ? undefined : settings[provider.chosenBy]
  return choice?.type === 'choice' ? [...choice.choices] : [provider.name]
}

/** Keys of every token's event. */
export const COMMON_KEYS = ['decoytoken', 'type', 'dst_port', 'src_host', 'event_name', 'headers'] as const

/** What most kinds say alike. */
const USUAL = {
  summary: 'Decoytoken triggered',
  slug: 'decoytoken',
  level: 'used',
  downloads: false,
  settings: {},
} as const
const USUAL_EXAMPLE = { settings: {}, needs: [] } as const

type WithUsual<T, Usual extends object> = Omit<T, keyof Usual> & Partial<Pick<T, keyof Usual & keyof T>>
type Described = WithUsual<Omit<TokenDescriptor, 'example'>, typeof USUAL> & {
  readonly example: WithUsual<TokenExample, typeof USUAL_EXAMPLE>
}
type Whole<D> = Omit<typeof USUAL, keyof D> & Omit<D, 'example'> & Pick<TokenDescriptor, 'example'>

/** Types a literal as a descriptor and keeps its exact shape. What it leaves out is as usual. */
export const describeKind = <const D extends Described>(d: D): Whole<D> => ({
  ...USUAL,
  ...d,
  example: { ...USUAL_EXAMPLE, ...d.example },
})
