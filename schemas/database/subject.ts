import { subject } from '../subject.ts'

export const database = subject({ name: 'database', kind: 'technical', buildsOn: ['common'] })
