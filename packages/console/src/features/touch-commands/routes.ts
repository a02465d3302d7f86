// Extension: commands that touch the decoys of live Birds, for people who want to see an incident of their own.
import { touchCommands } from '@rookery/contract/groups/touch-commands.ts'
import { implement, type Route } from '@rookery/contract/implement.ts'
import type { AppContext } from '../../app-context.ts'
import type { Call } from '../../http/call.ts'
import { existingFlock } from '../../stores/flocks/store.ts'
import { touchableBirds } from '../../stores/birds/touchable.store.ts'
import { commandsOf } from './commands.ts'

const MAX_BIRDS = 20

export const touchCommandsRoutes = ({ reader }: Pick<AppContext, 'reader'>): Route<Call>[] =>
  implement(touchCommands, {
    async list({ flock_id }, { caller: { scope } }: Call) {
      if (flock_id !== undefined) await existingFlock(reader, scope, flock_id)
      const birds = await touchableBirds(reader, scope, flock_id, MAX_BIRDS)
      return {
        birds: birds.map((bird) => ({
          node_id: bird.node_id,
          name: bird.name,
          commands: commandsOf(bird),
        })),
      }
    },
  })
