// Who opens an Office file: programs of one opening ask under user agents of their own ("Microsoft Office Protocol
// Discovery", "… Existence Discovery", then that of the program), so the user agent tells no visitors apart.
import type { HttpVisit } from '../channels/http/visit.ts'

export const officeVisitor = ({ srcHost }: Pick<HttpVisit, 'srcHost'>): string => srcHost
