/**
 * A plugin of Stryker. What an error says is for people: tests hold its class, its code and where it points, and would
 * repeat its words otherwise.
 */
export const strykerPlugins = [
  {
    kind: 'Ignore',
    name: 'error-texts',
    value: {
      shouldIgnore({ node, parent }) {
        const text = node.type === 'StringLiteral' || node.type === 'TemplateLiteral';
        const ofError = parent?.type === 'NewExpression' && /Error$/.test(parent.callee.name ?? '');
        return text && ofError ? 'the text of an error' : undefined;
      },
    },
  },
];
