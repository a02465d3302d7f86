import { describeProvider } from '../../provider-descriptor.ts'

const ID = '[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}'

export const descriptor = describeProvider({
  provider: 'entra',
  name: 'Microsoft Entra ID',
  options: {
    ROOKERY_ENTRA_TENANT: {
      title: 'The tenant of Microsoft Entra in which apps and the login page are planted',
      wants: 'the id of a tenant, such as 72f988bf-86f1-41af-91ab-2d7cd011db47',
      type: 'text',
      pattern: ID,
    },
    ROOKERY_ENTRA_CLIENT_ID: {
      title: 'The app by which the console signs in to this tenant',
      wants: 'the application (client) id of an app registration',
      type: 'text',
      pattern: ID,
    },
    ROOKERY_ENTRA_CREDENTIAL: {
      title: 'The credential of this app',
      wants: 'a client secret, or the PEM of a certificate and its private key',
      type: 'text',
      pattern: '[\\s\\S]+',
      secret: true,
      multiline: true,
    },
    ROOKERY_ENTRA_LOGIN_URL: {
      title: 'Where apps sign in, as national clouds have it',
      wants: 'an http(s) URL',
      type: 'url',
      default: 'https://login.microsoftonline.com',
      optional: true,
    },
    ROOKERY_ENTRA_GRAPH_URL: {
      title: 'Where Microsoft Graph is called, as national clouds have it',
      wants: 'an http(s) URL',
      type: 'url',
      default: 'https://graph.microsoft.com',
      optional: true,
    },
  },
  takesFeed: false,
  pollMs: 60_000,
  heartbeat: 'poll',
})
