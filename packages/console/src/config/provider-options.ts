// The options of providers, folded from their descriptors: nothing of them stands here.
import type { ProviderDescriptor, ProviderOption } from '@rookery/tokens/provider-descriptor.ts'
import { providerDescriptors } from '@rookery/tokens/provider-descriptors.gen.ts'
import { option, web, type NamedOption } from './option.ts'

type Descriptor = (typeof providerDescriptors)[number]
type NameOf<D> = D extends { readonly options: infer O } ? keyof O & string : never

export type ProviderOptionName = NameOf<Descriptor>

const accepts = ({ type, pattern = '.+' }: ProviderOption): NamedOption['accepts'] => {
  const whole = new RegExp(`^(?:${pattern})$`)
  return type === 'url' ? web.accepts : (value) => whole.test(value)
}

/** The options of several providers, by environment name. */
const foldProviderOptions = (descriptors: readonly ProviderDescriptor[]): Record<string, NamedOption> =>
  Object.fromEntries(
    descriptors.flatMap(({ options }) =>
      Object.entries<ProviderOption>(options).map(([name, it]) => [
        name,
        option(
          it.default ?? '',
          it.title,
          { wants: it.wants, accepts: accepts(it) },
          { secret: it.secret ?? false, multiline: it.multiline ?? false },
        ),
      ]),
    ),
  )

/** The compiler cannot follow the fold: its type is made from the same descriptors. */
export const PROVIDER_OPTIONS = foldProviderOptions(providerDescriptors) as Readonly<
  Record<ProviderOptionName, NamedOption>
>
