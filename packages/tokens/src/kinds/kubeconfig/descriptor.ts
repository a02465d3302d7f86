import { describeKind } from '../../descriptor.ts'

export const descriptor = describeKind({
  kind: 'kubeconfig',
  name: 'Kubernetes configuration',
  shelf: 'Accounts and keys',
  keywords: ['kubernetes', 'kubectl', 'kubeconfig', 'k8s', 'cluster', 'helm', 'container', 'service account'],
  firedBy:
    'Somebody uses the configuration: kubectl, helm and every other client of Kubernetes send their first request to its server.',
  silencedBy:
    'It stays silent where the network cannot reach the token host, and while somebody reads the configuration alone.',
  placement: [
    'Leave it as .kube/config in the home folder of a server, a build agent or an administrator.',
    'Put it into a secret, a volume or an image of a real cluster, where a program that was taken over finds it.',
    'Store it in a password safe or with the variables of a pipeline.',
  ],
  logtype: '17902',
  keys: ['method', 'request', 'key_used', 'useragent'],
  evidence: ['request', 'key_used', 'useragent'],
  meaning:
    'Somebody called the API server that the configuration names. With key_used true they sent its token, so they have the file.',
  next: [
    'Treat the place of the file as read by an intruder, and look at who read it there.',
    'Change every real token, certificate and password that lies in the same place.',
    'Look for the source address in the audit logs of your real clusters.',
  ],
  needsHttps: true,
  downloads: true,
  example: {
    needs: ['kubectl'],
    touch: 'download planted.kubeconfig && kubectl --kubeconfig planted.kubeconfig get pods',
  },
  settings: {
    kube_cluster: {
      type: 'text',
      description: 'The name of the cluster and of its context',
      default: 'production',
      maxLength: 63,
      characters: 'a-z0-9-',
    },
  },
})
