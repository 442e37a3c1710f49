import { subject } from '../subject.ts'
import * as entities from './entities.ts'

export const http = subject({ name: 'http', kind: 'technical', buildsOn: ['observability'], entities })
