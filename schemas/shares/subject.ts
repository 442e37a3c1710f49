import { subject } from '../subject.ts'
import * as entities from './entities.ts'
import * as operations from './operations.ts'
import { settings } from './settings.ts'

export const shares = subject({ name: 'shares', buildsOn: ['content', 'disputes'], entities, operations, settings })
