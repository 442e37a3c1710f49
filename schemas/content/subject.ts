import { subject } from '../subject.ts'
import * as entities from './entities.ts'
import * as operations from './operations.ts'

export const content = subject({ name: 'content', buildsOn: ['chain'], entities, operations })
