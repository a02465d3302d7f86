// Frames of its peers, changed at random: no throw, no hang, no growth.
import { testMutations } from '@rookery/decoys/test/mutations/suite.ts'
import { mutations } from './mutations.ts'

testMutations(mutations)
