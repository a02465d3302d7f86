import { describeKind } from '../../descriptor.ts'

export const descriptor = describeKind({
  kind: 'cloud-b-id',
  name: 'Azure service principal',
  shelf: 'Accounts and keys',
  keywords: ['azure', 'entra', 'microsoft', 'cloud', 'service principal', 'certificate', 'credentials', 'az'],
  firedBy:
    'Somebody signs in with the certificate: az login --service-principal, the SDKs of Azure, Terraform. The tenant records it, and the console reads it there.',
  silencedBy:
    'It stays silent where the certificate is tried in another tenant, or after it expired. The record comes 2 to 15 minutes after the sign-in, and needs Entra ID P1.',
  placement: [
    'Unpack it in the home folder of a server or a build agent, next to the scripts that it seems to be for.',
    'Commit it to a private repository, in the folder of a deployment.',
    'Store it in a password safe, or among the files of a pipeline.',
  ],
  logtype: '17024',
  keys: ['resource', 'location', 'app_id', 'cert_id', 'status', 'delay_s'],
  evidence: ['resource', 'location', 'status'],
  meaning:
    'Somebody signed in to your tenant with the certificate: they read the files that the memo names. The app has no role, so that they got no further with it.',
  next: [
    'Treat the place of the certificate as read by an intruder, and look at who read it there.',
    'Change every real key and password that lies in the same place.',
    'Look for the source address in the sign-in logs of the tenant: real accounts may have been tried from there.',
  ],
  provider: { name: 'entra', fixed: [] },
  downloads: true,
  example: {
    settings: { azure_id_cert_file_name: 'deploy.pem' },
    needs: ['unzip', 'az'],
    touch: 'download principal.zip && unzip -o principal.zip && sh -c "$(field renders.login)"',
  },
  settings: {
    azure_id_cert_file_name: {
      type: 'text',
      description: 'The name of the file with the certificate and its key, such as deploy.pem',
      required: true,
      maxLength: 64,
      characters: 'A-Za-z0-9_. -',
    },
  },
})
