// A tenant of Microsoft Entra: apps without roles whose certificates are planted, and rules in the CSS of its login page.
import { backgroundCss } from '../../channels/http/css-clone.ts'
import { provider, type ProvisionedResource, type ProvisionRequest } from '../../provider.ts'
import { displayNameOf, tagOf } from './app-identity.ts'
import { openApplications } from './applications.ts'
import { makeAppCertificate } from './certificate.ts'
import { openCustomCss } from './custom-css.ts'
import { descriptor } from './descriptor.ts'
import { openGraph } from './graph.ts'
import { signInsOf } from './sign-ins.ts'

/** Rules of the login page; every other kind is an app. */
const LOGIN_PAGE = 'cloud-b-login'

export default provider(descriptor, ({ world, options }) => {
  const tenantId = options.ROOKERY_ENTRA_TENANT
  const graph = openGraph(world, {
    tenantId,
    clientId: options.ROOKERY_ENTRA_CLIENT_ID,
    credential: options.ROOKERY_ENTRA_CREDENTIAL,
    loginUrl: new URL(options.ROOKERY_ENTRA_LOGIN_URL).origin,
    graphUrl: new URL(options.ROOKERY_ENTRA_GRAPH_URL).origin,
  })
  const applications = openApplications(graph, world.clock)
  const customCss = openCustomCss(graph, tenantId)

  async function provisionApp({ derive }: ProvisionRequest): Promise<ProvisionedResource> {
    const certificate = await makeAppCertificate(world.clock.now(), world.random.bytes(16))
    const displayName = displayNameOf(derive)
    const { appId, objectId } = await applications.create({ displayName, tag: tagOf(derive), certificate })
    return {
      remoteId: appId,
      handle: objectId,
      expiresAt: certificate.notAfter,
      issued: {
        tenant_id: tenantId,
        app_id: appId,
        display_name: displayName,
        pem: certificate.pem,
        certificate_expires: new Date(certificate.notAfter).toISOString().slice(0, 10),
      },
    }
  }

  return {
    async provision(request) {
      if (request.kind !== LOGIN_PAGE) return provisionApp(request)
      const { tokenId, address } = request
      await customCss.addRule(tokenId, backgroundCss(address.url))
      return { remoteId: `branding ${tokenId}`, issued: { tenant_id: tenantId } }
    },
    async revoke({ tokenId, kind, handle, derive }) {
      if (kind === LOGIN_PAGE) return customCss.removeRules(tokenId)
      const objectIds = handle === '' ? await applications.withTag(tagOf(derive)) : [handle]
      for (const objectId of objectIds) await applications.delete(objectId)
    },
    async poll({ position, resources }) {
      const now = world.clock.now()
      const appIds = resources.filter(({ kind }) => kind !== LOGIN_PAGE).map(({ remoteId }) => remoteId)
      const events = await signInsOf(graph, appIds, position === '' ? now : Number(position))
      return { events, position: String(now) }
    },
  }
})
