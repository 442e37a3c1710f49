import { subject } from '../subject.ts'
import { settings } from './settings.ts'

export const outbound = subject({ name: 'outbound', kind: 'technical', buildsOn: ['common'], settings })
