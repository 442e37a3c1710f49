import { subject } from '../subject.ts'
import * as entities from './entities.ts'
import { settings } from './settings.ts'

export const chain = subject({ name: 'chain', kind: 'technical', buildsOn: ['events'], entities, settings })
