// App registrations without any role, each of which has the certificate of a token (Microsoft Graph, `application`).
import type { Clock } from '@rookery/kernel/world.ts'
import { textOf } from '../../provider-call.ts'
import type { AppCertificate } from './certificate.ts'
import { GraphRefusal, pages, type CallGraph } from './graph.ts'

export interface Application {
  /** Of the object in the directory. */
  readonly objectId: string
  /** By which it signs in. */
  readonly appId: string
}

export interface NewApplication {
  readonly displayName: string
  /** By which it is found again; nobody can foresee it. */
  readonly tag: string
  readonly certificate: AppCertificate
}

/** A new app is known everywhere in the directory after some seconds. */
const TRIES = 5
const RETRY_MS = 3_000

export function openApplications(call: CallGraph, clock: Clock) {
  async function createServicePrincipal(appId: string): Promise<void> {
    for (let tries = 1; ; tries++) {
      try {
        await call({ method: 'POST', path: '/v1.0/servicePrincipals', body: { appId } })
        return
      } catch (error) {
        const isNotKnownYet = error instanceof GraphRefusal && (error.status === 400 || error.status === 404)
        if (!isNotKnownYet || tries >= TRIES) throw error
        await new Promise<void>((wake) => clock.after(RETRY_MS, wake))
      }
    }
  }

  async function deleteApplication(objectId: string): Promise<void> {
    const id = encodeURIComponent(objectId)
    await call({ method: 'DELETE', path: `/v1.0/applications/${id}`, expects: [404] })
    // Without this it stays in the bin for 30 days, and counts against the quota of the directory.
    await call({ method: 'DELETE', path: `/v1.0/directory/deletedItems/${id}`, expects: [403, 404] })
  }

  return {
    /** Creates the app and its service principal, which can sign in and read nothing. */
    async create({ displayName, tag, certificate }: NewApplication): Promise<Application> {
      const { json } = await call({
        method: 'POST',
        path: '/v1.0/applications',
        body: {
          displayName,
          signInAudience: 'AzureADMyOrg',
          tags: [tag],
          keyCredentials: [
            {
              type: 'AsymmetricX509Cert',
              usage: 'Verify',
              displayName: 'CN=CLI-Login',
              key: certificate.der.toString('base64'),
              startDateTime: new Date(certificate.notBefore).toISOString(),
              endDateTime: new Date(certificate.notAfter).toISOString(),
            },
          ],
        },
      })
      const app = { objectId: textOf(json, 'id'), appId: textOf(json, 'appId') }
      try {
        await createServicePrincipal(app.appId)
      } catch (error) {
        // A list by tag does not know a new app for some seconds: its object id is the sure way.
        await deleteApplication(app.objectId)
        throw error
      }
      return app
    },
    /** Deletes it for good; one that does not exist is deleted already. */
    delete: deleteApplication,
    /** The object ids of those with the tag. */
    async withTag(tag: string): Promise<readonly string[]> {
      const filter = encodeURIComponent(`tags/any(t:t eq '${tag.replaceAll("'", "''")}')`)
      const ids: string[] = []
      for await (const entry of pages(call, `/v1.0/applications?$filter=${filter}&$select=id`))
        ids.push(textOf(entry, 'id'))
      return ids
    },
  }
}
