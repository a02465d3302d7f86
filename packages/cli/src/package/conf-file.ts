// A file of options for a service, each with its sentence and commented out: an EnvironmentFile of systemd.
import { OPTIONS, fileVariable, type OptionName } from '@rookery/console/config/options.ts'

/** Where systemd puts what LoadCredential=secret:/etc/rookery/secrets loads. */
export const CREDENTIALS = '/run/credentials/rookery.service/secret_'

export function optionLines(names: readonly OptionName[]): string {
  return names.map((name) => paragraph(name)).join('\n')
}

function paragraph(name: OptionName): string {
  const { title, wants, default: fallback, secret } = OPTIONS[name]
  if (!secret) return `# ${title}: ${wants}.\n#${name}=${fallback}\n`
  const file = name.slice('ROOKERY_'.length).toLowerCase().replaceAll('_', '-')
  return `# ${title}: ${wants}, in the file /etc/rookery/secrets/${file}.\n#${fileVariable(name)}=${CREDENTIALS}${file}\n`
}
