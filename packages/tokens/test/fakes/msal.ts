// Microsoft's own library signs in at a fake tenant, with what a token of the kind cloud-b-id plants.
import { createHash, X509Certificate } from 'node:crypto'
import {
  ConfidentialClientApplication,
  type INetworkModule,
  type NetworkRequestOptions,
} from '@azure/msal-node'
import type { FakeEntra } from './entra.ts'

export interface PlantedApp {
  readonly tenantId: string
  readonly appId: string
  /** The private key, then the certificate. */
  readonly pem: string
}

/** The access token; rejects with the error of the tenant. */
export async function signInByMsal(
  tenant: FakeEntra,
  { tenantId, appId, pem }: PlantedApp,
): Promise<string | undefined> {
  const client = new ConfidentialClientApplication({
    auth: {
      clientId: appId,
      authority: `https://login.microsoftonline.com/${tenantId}`,
      clientCertificate: {
        privateKey: pem.slice(0, pem.indexOf('-----BEGIN CERTIFICATE')),
        thumbprintSha256: createHash('sha256').update(new X509Certificate(pem).raw).digest('hex'),
      },
    },
    system: { networkClient: networkTo(tenant) },
  })
  const scopes = ['https://graph.microsoft.com/.default']
  return (await client.acquireTokenByClientCredential({ scopes }))?.accessToken
}

/** The network of the library: its requests go to the fake, whatever their host. */
function networkTo(tenant: FakeEntra): INetworkModule {
  const send = <T>(method: string, url: string, options: NetworkRequestOptions = {}) => {
    const { host, pathname, search } = new URL(url)
    const answer = tenant.answer({
      method,
      path: pathname + search,
      headers: { ...options.headers, Host: host },
      body: options.body ?? '',
    })
    return Promise.resolve({
      status: answer.status,
      headers: { ...answer.headers },
      body: JSON.parse(String(answer.body)) as T,
    })
  }
  return {
    sendGetRequestAsync: (url, options) => send('GET', url, options),
    sendPostRequestAsync: (url, options) => send('POST', url, options),
  }
}
