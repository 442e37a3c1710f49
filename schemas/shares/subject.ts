import { subject } from '../subject.ts'
import * as entities from './entities.ts'
import * as operations from './operations.ts'

export const shares = subject({ name: 'shares', buildsOn: ['content', 'disputes'], entities, operations })
