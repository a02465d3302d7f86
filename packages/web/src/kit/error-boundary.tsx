// A part that throws says so in its own place; the rest of the page stays.
import { Component, type ReactNode } from 'react'
import { ProblemBox } from './problem-box.tsx'

export class ErrorBoundary extends Component<{ readonly children: ReactNode }, { readonly error: unknown }> {
  override state = { error: undefined as unknown }

  static getDerivedStateFromError(error: unknown): { readonly error: unknown } {
    return { error: error ?? new Error('unknown') }
  }

  override render(): ReactNode {
    if (this.state.error === undefined) return this.props.children
    return <ProblemBox error={this.state.error} onRetry={() => this.setState({ error: undefined })} />
  }
}
