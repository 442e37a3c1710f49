import { subject } from '../subject.ts'
import * as entities from './entities.ts'
import { settings } from './settings.ts'

export const http = subject({ name: 'http', kind: 'technical', buildsOn: ['observability'], entities, settings })
