import { subject } from '../subject.ts'
import * as entities from './entities.ts'
import * as operations from './operations.ts'

export const crossChain = subject({ name: 'cross-chain', buildsOn: ['strategies'], entities, operations })
