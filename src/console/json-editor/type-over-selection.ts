import type { Extension } from '@codemirror/state';
import { EditorView } from '@codemirror/view';

/**
 * Replaces the selection with typed text before the browser does. Chrome would copy the style of the replaced text into
 * an inline style, which the Content-Security-Policy refuses and reports. Text of an input method cannot be
 * intercepted, so the selection is removed before the browser sees it.
 */
export const typeOverSelection: Extension = [
  EditorView.domEventHandlers({
    beforeinput({ inputType, data, cancelable }, view) {
      const { main } = view.state.selection;
      if (inputType !== 'insertText' || data === null || !cancelable || main.empty || view.state.readOnly) return false;
      const insert = () =>
        view.state.update(view.state.replaceSelection(data), { userEvent: 'input.type', scrollIntoView: true });
      const isHandled = view.state
        .facet(EditorView.inputHandler)
        .some((handle) => handle(view, main.from, main.to, data, insert));
      if (!isHandled) view.dispatch(insert());
      return true;
    },
  }),
  EditorView.domEventObservers({
    compositionstart(_event, view) {
      const isEmpty = view.state.selection.ranges.every((range) => range.empty);
      if (isEmpty || view.state.readOnly) return;
      view.dispatch(view.state.replaceSelection(''), { userEvent: 'input.type.compose.start' });
    },
  }),
];
