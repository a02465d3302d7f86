// Ids that are used up, and how often they were repeated.
import type { OpenStage } from '../stage.ts'

export const replays: OpenStage = (batch) => ({ store: () => batch.replays.store() })
