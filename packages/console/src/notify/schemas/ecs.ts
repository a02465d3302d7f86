// An alert as a document of the Elastic Common Schema 8.17.
import { isIP } from 'node:net'
import { VERSION } from '../../version.ts'
import { namedFields, type AlertFields } from '../message/fields.ts'
import { nested } from './nested.ts'

/** ECS wants a number; the larger, the worse. */
const SEVERITY = { used: 90, tried: 60, looked: 30, house: 10 } as const

export function ecsDocument(fields: AlertFields, messageId: string): object {
  const { sourceAddress, nodeAddress, user } = fields
  const addresses = [sourceAddress, nodeAddress].filter((it) => isIP(it) !== 0)
  return nested([
    ['@timestamp', new Date(fields.at).toISOString()],
    ['ecs.version', '8.17.0'],
    ['message', fields.text],
    ['event.kind', 'alert'],
    ['event.category', ['intrusion_detection']],
    ['event.type', ['info']],
    ['event.module', 'rookery'],
    ['event.dataset', 'rookery.alert'],
    ['event.action', fields.name],
    ['event.severity', SEVERITY[fields.level]],
    ['rule.name', fields.name],
    ['observer.vendor', 'Rookery'],
    ['observer.product', 'Rookery'],
    ['observer.version', VERSION],
    ['rookery.subject', fields.subject],
    ['rookery.level', fields.level],
    ['rookery.message_id', messageId],
    ...namedFields(fields, 'ecs'),
    ...(isIP(sourceAddress) === 0 ? [] : [['source.ip', sourceAddress] as const]),
    ...(isIP(nodeAddress) === 0 ? [] : [['destination.ip', nodeAddress] as const]),
    ...(addresses.length === 0 ? [] : [['related.ip', [...new Set(addresses)]] as const]),
    ...(user === '' ? [] : [['related.user', [user]] as const]),
    // Names from outside are values, not fields: an index has room for so many fields alone.
    ['rookery.details', fields.details.map(([label, value]) => `${label}: ${value}`)],
  ])
}
