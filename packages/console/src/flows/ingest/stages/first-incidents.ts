// First incidents of tokens that raise no other.
import type { OpenStage } from '../stage.ts'

export const firstIncidents: OpenStage = ({ firsts }) => ({ store: () => firsts.store() })
