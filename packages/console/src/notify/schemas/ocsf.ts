// An alert as a Detection Finding (2004) of the Open Cybersecurity Schema Framework 1.3.
import { VERSION } from '../../version.ts'
import { namedFields, type AlertFields } from '../message/fields.ts'
import { nested } from './nested.ts'

const CREATE = 1
const SEVERITY = {
  used: [5, 'Critical'],
  tried: [4, 'High'],
  looked: [2, 'Low'],
  house: [1, 'Informational'],
} as const

export function ocsfFinding(fields: AlertFields, messageId: string): object {
  const [severityId, severity] = SEVERITY[fields.level]
  return nested([
    ['category_uid', 2],
    ['category_name', 'Findings'],
    ['class_uid', 2004],
    ['class_name', 'Detection Finding'],
    ['activity_id', CREATE],
    ['activity_name', 'Create'],
    ['type_uid', 2004 * 100 + CREATE],
    ['time', fields.at],
    ['severity_id', severityId],
    ['severity', severity],
    ['status_id', 1],
    ['message', fields.text],
    ['metadata.version', '1.3.0'],
    ['metadata.uid', messageId],
    ['metadata.product.name', 'Rookery'],
    ['metadata.product.vendor_name', 'Rookery'],
    ['metadata.product.version', VERSION],
    ['finding_info.title', fields.name],
    ['finding_info.desc', fields.text],
    ['finding_info.created_time', fields.at],
    ['unmapped.subject', fields.subject],
    ['unmapped.details', fields.details.map(([label, value]) => `${label}: ${value}`)],
    ...namedFields(fields, 'ocsf'),
  ])
}
