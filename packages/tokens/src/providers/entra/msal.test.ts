// Microsoft's own library judges what a token of the kind cloud-b-id plants.
import { expect, it } from 'vitest'
import { fakeEntra, TENANT } from '../../../test/fakes/entra.ts'
import { signInByMsal } from '../../../test/fakes/msal.ts'
import { makeAppCertificate } from './certificate.ts'

it('the library of Microsoft signs in with the certificate, and not with another', async () => {
  const now = Date.now()
  const tenant = fakeEntra(() => now)
  const certificate = await makeAppCertificate(now, Buffer.alloc(16, 7))
  const other = await makeAppCertificate(now, Buffer.alloc(16, 8))
  const appId = tenant.addApplication('hr-sync', certificate.pem)
  const planted = { tenantId: TENANT, appId, pem: certificate.pem }
  expect(await signInByMsal(tenant, planted)).toBe('access to the graph')
  expect(tenant.signIns).toMatchObject([{ appId }])
  await expect(signInByMsal(tenant, { ...planted, pem: other.pem })).rejects.toThrow('AADSTS700027')
  expect(tenant.signIns).toHaveLength(1)
})
