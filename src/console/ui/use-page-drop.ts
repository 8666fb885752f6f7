import { useEffect, useRef, useState } from 'preact/hooks';
import { readDrop } from './read-drop.ts';

/**
 * Accepts a file dropped anywhere on the page; true while one is dragged over it. Drops handled by an inner drop target
 * are ignored, and no drop opens the file in the browser.
 */
export function usePageDrop(onFile: ((file: File, handle?: FileSystemFileHandle) => void) | undefined): boolean {
  const [isOver, setIsOver] = useState(false);
  const latest = useRef(onFile);
  latest.current = onFile;
  useEffect(() => {
    const isFile = (event: DragEvent): boolean =>
      latest.current !== undefined && event.dataTransfer?.types.includes('Files') === true;
    const enter = (event: DragEvent): void => setIsOver(isFile(event));
    const leave = (event: DragEvent): void => {
      // Without a related target, the pointer has left the window.
      if (event.relatedTarget === null) setIsOver(false);
    };
    const over = (event: DragEvent): void => {
      if (isFile(event)) event.preventDefault();
    };
    const drop = (event: DragEvent): void => {
      setIsOver(false);
      if (!isFile(event) || event.defaultPrevented) return;
      event.preventDefault();
      void readDrop(event).then((dropped) => dropped && latest.current?.(dropped.file, dropped.handle));
    };
    const listeners = { dragenter: enter, dragleave: leave, dragover: over, drop };
    for (const [name, listener] of Object.entries(listeners)) addEventListener(name, listener as EventListener);
    return () => {
      for (const [name, listener] of Object.entries(listeners)) removeEventListener(name, listener as EventListener);
    };
  }, []);
  return isOver;
}
