import { subject } from '../subject.ts'
import * as entities from './entities.ts'
import * as operations from './operations.ts'
import { settings } from './settings.ts'

export const verification = subject({ name: 'verification', buildsOn: ['pull-requests', 'reputation'], entities, operations, settings })
