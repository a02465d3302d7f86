// The options of providers, folded from their descriptors: nothing of them stands here.
import type { ProviderDescriptor, ProviderOption } from '@rookery/tokens/provider-descriptor.ts'
import { providerDescriptors } from '@rookery/tokens/provider-descriptors.gen.ts'
import { option, web, type Option } from './option.ts'

type Descriptor = (typeof providerDescriptors)[number]
type NameOf<D> = D extends { readonly options: infer O } ? keyof O & string : never

export type ProviderOptionName = NameOf<Descriptor>

/** `ROOKERY_SLACK_URL` as `--slack-url`; a secret's flag names its file. */
function flagOf(name: string, { secret }: ProviderOption): string {
  const words = name.slice('ROOKERY_'.length).toLowerCase().replaceAll('_', '-')
  return `--${words}${secret ? '-file' : ''}`
}

const accepts = ({ type, pattern = '.+' }: ProviderOption): Option['accepts'] => {
  const whole = new RegExp(`^(?:${pattern})$`)
  return type === 'url' ? web : (value) => whole.test(value)
}

/** The options of several providers, by environment name. */
const foldProviderOptions = (descriptors: readonly ProviderDescriptor[]): Record<string, Option> =>
  Object.fromEntries(
    descriptors.flatMap(({ options }) =>
      Object.entries<ProviderOption>(options).map(([name, it]) => [
        name,
        option(flagOf(name, it), it.default ?? '', it.title, it.wants, accepts(it), it.secret),
      ]),
    ),
  )

/** The compiler cannot follow the fold: its type is made from the same descriptors. */
export const PROVIDER_OPTIONS = foldProviderOptions(providerDescriptors) as Readonly<
  Record<ProviderOptionName, Option>
>
