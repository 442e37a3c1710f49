import { subject } from '../subject.ts'
import * as entities from './entities.ts'
import * as operations from './operations.ts'
import { settings } from './settings.ts'

export const lockedDeposits = subject({ name: 'locked-deposits', buildsOn: ['consents', 'pool'], entities, operations, settings })
