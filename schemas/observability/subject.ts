import { subject } from '../subject.ts'
import { settings } from './settings.ts'

export const observability = subject({ name: 'observability', kind: 'technical', buildsOn: ['chain'], settings })
