import { subject } from '../subject.ts'
import * as entities from './entities.ts'
import * as operations from './operations.ts'
import { settings } from './settings.ts'

export const idleAllocation = subject({ name: 'idle-allocation', buildsOn: ['locked-deposits'], entities, operations, settings })
