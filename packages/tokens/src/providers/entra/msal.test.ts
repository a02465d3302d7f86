// Microsoft's own library judges what a token of the kind cloud-b-id plants: it signs in with the certificate and its key.
import { createHash, X509Certificate } from 'node:crypto'
import {
  ConfidentialClientApplication,
  type INetworkModule,
  type NetworkRequestOptions,
} from '@azure/msal-node'
import { expect, it } from 'vitest'
import { openApplications } from './applications.ts'
import { makeAppCertificate } from './certificate.ts'
import { fakeEntra, TENANT, type FakeEntra } from '../../../test/fakes/entra.ts'

/** The network of the library: requests go to the fake. */
function networkTo(fake: FakeEntra): INetworkModule {
  const send = <T>(method: string, url: string, options: NetworkRequestOptions = {}) => {
    const { host, pathname, search } = new URL(url)
    const headers = { ...options.headers, Host: host }
    const {
      status,
      headers: answered,
      body,
    } = fake.answer({
      ...{ method, path: pathname + search, headers },
      body: options.body ?? '',
    })
    return Promise.resolve({ status, headers: { ...answered }, body: JSON.parse(String(body)) as T })
  }
  return {
    sendGetRequestAsync: (url, options) => send('GET', url, options),
    sendPostRequestAsync: (url, options) => send('POST', url, options),
  }
}

it('the library of Microsoft signs in with the certificate, and not with another', async () => {
  const now = Date.now()
  const fake = fakeEntra(() => now)
  const certificate = await makeAppCertificate(now, Buffer.alloc(16, 7))
  const other = await makeAppCertificate(now, Buffer.alloc(16, 8))
  const clock = { now: () => now, after: () => () => undefined }
  const graph = ({ method, path, body }: { method: string; path: string; body?: unknown }) => {
    const headers = { Authorization: 'Bearer access to the graph' }
    const answer = fake.answer({ method, path, headers, body: JSON.stringify(body) })
    const text = String(answer.body)
    const json = JSON.parse(text) as Record<string, unknown>
    return Promise.resolve({ status: answer.status, headers: answer.headers, text, json })
  }
  const applications = openApplications(graph, clock)
  const { appId } = await applications.create({ displayName: 'hr-sync', tag: 't', certificate })

  const signIn = ({ pem }: { readonly pem: string }) =>
    new ConfidentialClientApplication({
      auth: {
        clientId: appId,
        authority: `https://login.microsoftonline.com/${TENANT}`,
        clientCertificate: {
          privateKey: pem.slice(0, pem.indexOf('-----BEGIN CERTIFICATE')),
          thumbprintSha256: createHash('sha256').update(new X509Certificate(pem).raw).digest('hex'),
        },
      },
      system: { networkClient: networkTo(fake) },
    }).acquireTokenByClientCredential({ scopes: ['https://graph.microsoft.com/.default'] })

  expect(await signIn(certificate)).toMatchObject({ accessToken: 'access to the graph' })
  expect(fake.signIns).toMatchObject([{ appId }])
  await expect(signIn(other)).rejects.toThrow('AADSTS700027')
  expect(fake.signIns).toHaveLength(1)
})
