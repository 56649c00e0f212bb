import { Button, TextField } from "@quintain/kit";
import { ChevronDown, ChevronRight, Search, X } from "lucide-react";
import { useState, type PointerEvent } from "react";
import { categories, kinds, searchKinds, type Category, type Kind } from "../model/catalogue";
import { KindIcon } from "./KindIcon";

/** What happens to a kind that is picked from the library. */
interface LibraryProps {
  /** It was pressed. */
  onAdd: (kind: string) => void;
  /** The pointer went down on it and may drag it away. */
  onGrasp: (kind: string, event: PointerEvent) => void;
}

/** The kinds of nodes; pressing one puts a node on the canvas, and so does dragging it there. */
export function Library({ onAdd, onGrasp }: LibraryProps) {
  const [text, setText] = useState("");
  const [folded, setFolded] = useState<ReadonlySet<string>>(new Set());

  function fold(id: string): void {
    const next = new Set(folded);
    if (!next.delete(id)) next.add(id);
    setFolded(next);
  }

  const found = text.trim() === "" ? null : searchKinds(text);
  return (
    <aside className="library" aria-label="Node library">
      <h2 className="side-title">Nodes</h2>
      <div className="library-search">
        <Search className="library-search-mark" size={15} aria-hidden="true" />
        <TextField
          bare
          label="Search nodes"
          geo="library/search"
          placeholder="Search nodes"
          value={text}
          selecting
          onType={setText}
          onEnter={() => found?.[0] && onAdd(found[0].kind)}
          trailing={text && <ClearButton onPress={() => setText("")} />}
        />
      </div>
      <div className="library-list" data-geo="library/scroll" data-geo-area>
        {found?.map((kind) => (
          <LibraryItem key={kind.kind} kind={kind} onAdd={onAdd} onGrasp={onGrasp} />
        ))}
        {found?.length === 0 && <p className="library-empty">No node matches this search.</p>}
        {!found &&
          categories.map((category) => (
            <LibraryGroup
              key={category.id}
              category={category}
              isFolded={folded.has(category.id)}
              onFold={() => fold(category.id)}
              onAdd={onAdd}
              onGrasp={onGrasp}
            />
          ))}
      </div>
    </aside>
  );
}

function ClearButton({ onPress }: { onPress: () => void }) {
  return (
    <Button look="ghost" className="library-clear" label="Clear the search" geo="library/clear" onPress={onPress}>
      <X size={14} aria-hidden="true" />
    </Button>
  );
}

interface LibraryGroupProps extends LibraryProps {
  category: Category;
  isFolded: boolean;
  onFold: () => void;
}

function LibraryGroup({ category, isFolded, onFold, onAdd, onGrasp }: LibraryGroupProps) {
  const Mark = isFolded ? ChevronRight : ChevronDown;
  return (
    <section aria-label={category.name}>
      <button
        type="button"
        className="library-group"
        aria-expanded={!isFolded}
        data-geo={`library/category/${category.id}`}
        onClick={onFold}
      >
        <Mark size={14} aria-hidden="true" />
        {category.name}
      </button>
      {!isFolded &&
        kinds
          .filter((kind) => kind.category === category.id)
          .map((kind) => <LibraryItem key={kind.kind} kind={kind} onAdd={onAdd} onGrasp={onGrasp} />)}
    </section>
  );
}

function LibraryItem({ kind, onAdd, onGrasp }: LibraryProps & { kind: Kind }) {
  return (
    <button
      type="button"
      className="library-item"
      aria-label={`Add ${kind.name}`}
      data-geo={`library/kind/${kind.kind}`}
      onPointerDown={(event) => onGrasp(kind.kind, event)}
      onClick={() => onAdd(kind.kind)}
    >
      <KindIcon kind={kind.kind} size={14} />
      <span className="library-name">{kind.name}</span>
    </button>
  );
}
