//! Dialects that are text: calls, program lines, tags.

use quintain_core::action::Dialect;

use super::table;

#[test]
#[expect(clippy::too_many_lines, reason = "a table reads best whole")]
fn browsergym() {
    insta::assert_snapshot!(table(Dialect::BrowserGym, &[
        "click('12')",
        "```click(\"12\", button=\"right\", modifiers=[\"Shift\"])```",
        "I save it.\n```\nclick('12')\n```",
        "dblclick('12')",
        "hover('12')",
        "focus('12')",
        "fill('7', 'it\\'s a \"text\"')",
        "clear('7')",
        "press('7', 'ControlOrMeta+a')",
        "drag_and_drop('3', '5')",
        "mouse_click(640, 360)",
        "mouse_click(x=640, y=360, button='right')",
        "mouse_dblclick(1, 2)",
        "mouse_move(1.5, 2)",
        "mouse_down(1, 2)",
        "mouse_up(1, 2)",
        "mouse_drag_and_drop(1, 2, 3, 4)",
        "scroll(0, 200)",
        "keyboard_press('Meta+Shift+t')",
        "keyboard_down('Shift')",
        "keyboard_up('Shift')",
        "keyboard_type('hello')",
        "noop()",
        "noop(500)",
        "goto('https://example.com')",
        "go_back()",
        "go_forward()",
        "tab_focus(1)",
        "send_msg_to_user('{\"voltage\": \"1 V\"}')",
        "report_infeasible('there is no such button')",
        "send_msg_to_user('I am done.')",
        "I would report_infeasible('hard') if I could not click('3').",
        "click('Save')",
        "upload_file('1', 'x')",
    ]), @r#"
    click('12')
        {"do":"click","at":{"mark":12},"button":"left","held":[]}
    ```click("12", button="right", modifiers=["Shift"])```
        {"do":"click","at":{"mark":12},"button":"right","held":["shift"]}
    I save it.
    ```
    click('12')
    ```
        {"do":"click","at":{"mark":12},"button":"left","held":[]}
    dblclick('12')
        {"do":"double_click","at":{"mark":12},"button":"left"}
    hover('12')
        {"do":"move","to":{"mark":12}}
    focus('12')
        {"do":"click","at":{"mark":12},"button":"left","held":[]}
    fill('7', 'it\'s a "text"')
        {"do":"sequence","actions":[{"do":"click","at":{"mark":7},"button":"left","held":[]},{"do":"key","keys":["ctrl","a"]},{"do":"key","keys":["Delete"]},{"do":"type","text":"it's a \"text\""}]}
    clear('7')
        {"do":"sequence","actions":[{"do":"click","at":{"mark":7},"button":"left","held":[]},{"do":"key","keys":["ctrl","a"]},{"do":"key","keys":["Delete"]}]}
    press('7', 'ControlOrMeta+a')
        {"do":"sequence","actions":[{"do":"click","at":{"mark":7},"button":"left","held":[]},{"do":"key","keys":["ctrl","a"]}]}
    drag_and_drop('3', '5')
        {"do":"drag","path":[{"mark":3},{"mark":5}],"button":"left"}
    mouse_click(640, 360)
        {"do":"click","at":{"x":640.0,"y":360.0},"button":"left","held":[]}
    mouse_click(x=640, y=360, button='right')
        {"do":"click","at":{"x":640.0,"y":360.0},"button":"right","held":[]}
    mouse_dblclick(1, 2)
        {"do":"double_click","at":{"x":1.0,"y":2.0},"button":"left"}
    mouse_move(1.5, 2)
        {"do":"move","to":{"x":1.5,"y":2.0}}
    mouse_down(1, 2)
        {"do":"press","at":{"x":1.0,"y":2.0},"button":"left"}
    mouse_up(1, 2)
        {"do":"release","at":{"x":1.0,"y":2.0},"button":"left"}
    mouse_drag_and_drop(1, 2, 3, 4)
        {"do":"drag","path":[{"x":1.0,"y":2.0},{"x":3.0,"y":4.0}],"button":"left"}
    scroll(0, 200)
        {"do":"scroll","at":null,"dx":0.0,"dy":200.0}
    keyboard_press('Meta+Shift+t')
        {"do":"key","keys":["meta","shift","t"]}
    keyboard_down('Shift')
        {"do":"key_down","keys":["shift"]}
    keyboard_up('Shift')
        {"do":"key_up","keys":["shift"]}
    keyboard_type('hello')
        {"do":"type","text":"hello"}
    noop()
        {"do":"wait","ms":1000}
    noop(500)
        {"do":"wait","ms":500}
    goto('https://example.com')
        {"do":"goto","url":"https://example.com"}
    go_back()
        {"do":"back"}
    go_forward()
        {"do":"forward"}
    tab_focus(1)
        {"do":"tab","index":1}
    send_msg_to_user('{"voltage": "1 V"}')
        {"do":"answer","value":{"voltage":"1 V"}}
    report_infeasible('there is no such button')
        {"do":"give_up","reason":"there is no such button"}
    send_msg_to_user('I am done.')
        ? a message that is to be the answer is a JSON object with the declared keys
    I would report_infeasible('hard') if I could not click('3').
        {"do":"click","at":{"mark":3},"button":"left","held":[]}
    click('Save')
        ? `bid` of `click` must be the number of an element, not "Save"
    upload_file('1', 'x')
        ? there is no action `1`; there is `noop`, `click`, `dblclick`, `hover`, `focus`, `fill`, `clear`, `press`, `drag_and_drop`, `scroll`, `mouse_move`, `mouse_down`, `mouse_up`, `mouse_click`, `mouse_dblclick`, `mouse_drag_and_drop`, `keyboard_press`, `keyboard_down`, `keyboard_up`, `keyboard_type`, `keyboard_insert_text`, `goto`, `go_back`, `go_forward`, `tab_focus`, `send_msg_to_user`, `report_infeasible`
    "#);
}

#[test]
#[expect(clippy::too_many_lines, reason = "a table reads best whole")]
fn pyautogui() {
    insta::assert_snapshot!(table(Dialect::Pyautogui, &[
        "pyautogui.click(x=640, y=360)",
        "```python\nimport pyautogui\nimport time\n# to the field\npyautogui.click(640, 360)\ntime.sleep(0.5)\npyautogui.write('hello', interval=0.1)\npyautogui.press('enter')\n```",
        "pyautogui.click(1, 2, clicks=2, button='right')",
        "pyautogui.click()",
        "pyautogui.doubleClick(1, 2); pyautogui.rightClick(3, 4)",
        "pyautogui.tripleClick(1, 2)",
        "pyautogui.moveTo(1, 2)\npyautogui.dragTo(3, 4, duration=1, button='left')",
        "pyautogui.mouseDown(); pyautogui.mouseUp(3, 4)",
        "pyautogui.scroll(-5)",
        "pyautogui.scroll(2, x=10, y=20)",
        "pyautogui.hscroll(1)",
        "pyautogui.press('tab', presses=2)",
        "pyautogui.press(['left', 'left'])",
        "pyautogui.hotkey('ctrl', 'shift', 's')",
        "pyautogui.keyDown('shift'); pyautogui.click(1, 2); pyautogui.keyUp('shift')",
        "pyautogui.typewrite(['a', 'b', 'enter'])",
        "time.sleep(2)",
        "WAIT",
        "DONE",
        "```\nFAIL\n```",
        "It is saved.\nDONE",
        "answer({'voltage': '1 V'})",
        "I am not DONE yet.",
        "pyautogui.click(1, 2)\nDONE",
        "__import__('os').system('ls')",
        "pyautogui.click(int('3'), 2)",
        "x = 3\npyautogui.click(x, 2)",
        "pyautogui.moveRel(1, 2)",
        "pyautogui.press('a', presses=1000000)",
    ]), @r#"
    pyautogui.click(x=640, y=360)
        {"do":"click","at":{"x":640.0,"y":360.0},"button":"left","held":[]}
    ```python
    import pyautogui
    import time
    # to the field
    pyautogui.click(640, 360)
    time.sleep(0.5)
    pyautogui.write('hello', interval=0.1)
    pyautogui.press('enter')
    ```
        {"do":"sequence","actions":[{"do":"click","at":{"x":640.0,"y":360.0},"button":"left","held":[]},{"do":"wait","ms":500},{"do":"type","text":"hello"},{"do":"key","keys":["Enter"]}]}
    pyautogui.click(1, 2, clicks=2, button='right')
        {"do":"double_click","at":{"x":1.0,"y":2.0},"button":"right"}
    pyautogui.click()
        {"do":"click","at":null,"button":"left","held":[]}
    pyautogui.doubleClick(1, 2); pyautogui.rightClick(3, 4)
        {"do":"sequence","actions":[{"do":"double_click","at":{"x":1.0,"y":2.0},"button":"left"},{"do":"click","at":{"x":3.0,"y":4.0},"button":"right","held":[]}]}
    pyautogui.tripleClick(1, 2)
        {"do":"triple_click","at":{"x":1.0,"y":2.0},"button":"left"}
    pyautogui.moveTo(1, 2)
    pyautogui.dragTo(3, 4, duration=1, button='left')
        {"do":"sequence","actions":[{"do":"move","to":{"x":1.0,"y":2.0}},{"do":"press","at":null,"button":"left"},{"do":"move","to":{"x":3.0,"y":4.0}},{"do":"release","at":null,"button":"left"}]}
    pyautogui.mouseDown(); pyautogui.mouseUp(3, 4)
        {"do":"sequence","actions":[{"do":"press","at":null,"button":"left"},{"do":"release","at":{"x":3.0,"y":4.0},"button":"left"}]}
    pyautogui.scroll(-5)
        {"do":"scroll","at":null,"dx":0.0,"dy":600.0}
    pyautogui.scroll(2, x=10, y=20)
        {"do":"scroll","at":{"x":10.0,"y":20.0},"dx":0.0,"dy":-240.0}
    pyautogui.hscroll(1)
        {"do":"scroll","at":null,"dx":120.0,"dy":0.0}
    pyautogui.press('tab', presses=2)
        {"do":"sequence","actions":[{"do":"key","keys":["Tab"]},{"do":"key","keys":["Tab"]}]}
    pyautogui.press(['left', 'left'])
        {"do":"sequence","actions":[{"do":"key","keys":["ArrowLeft"]},{"do":"key","keys":["ArrowLeft"]}]}
    pyautogui.hotkey('ctrl', 'shift', 's')
        {"do":"key","keys":["ctrl","shift","s"]}
    pyautogui.keyDown('shift'); pyautogui.click(1, 2); pyautogui.keyUp('shift')
        {"do":"sequence","actions":[{"do":"key_down","keys":["shift"]},{"do":"click","at":{"x":1.0,"y":2.0},"button":"left","held":[]},{"do":"key_up","keys":["shift"]}]}
    pyautogui.typewrite(['a', 'b', 'enter'])
        {"do":"sequence","actions":[{"do":"key","keys":["a"]},{"do":"key","keys":["b"]},{"do":"key","keys":["Enter"]}]}
    time.sleep(2)
        {"do":"wait","ms":2000}
    WAIT
        {"do":"wait","ms":1000}
    DONE
        done
    ```
    FAIL
    ```
        {"do":"give_up","reason":""}
    It is saved.
    DONE
        done
    answer({'voltage': '1 V'})
        {"do":"answer","value":{"voltage":"1 V"}}
    I am not DONE yet.
        ? no action found: answer with exactly one action in the published form
    pyautogui.click(1, 2)
    DONE
        ? `DONE` is not understood: nothing is executed, only plain calls with plain values are read
    __import__('os').system('ls')
        ? no action found: answer with exactly one action in the published form
    pyautogui.click(int('3'), 2)
        ? `pyautogui.click(int('3'), 2)` is not understood: nothing is executed, only plain calls with plain values are read
    x = 3
    pyautogui.click(x, 2)
        ? `x = 3` is not understood: nothing is executed, only plain calls with plain values are read
    pyautogui.moveRel(1, 2)
        ? there is no action `moveRel`; did you mean `moveTo`?
    pyautogui.press('a', presses=1000000)
        ? a sequence holds 1 to 32 actions of mouse and keyboard, and no ending
    "#);
}

#[test]
fn marks() {
    insta::assert_snapshot!(table(Dialect::Marks, &[
        "click [12]",
        "I save it.\nAction: click [12]",
        "```\ntype [7] [some [bracketed] text]\n```",
        "type [7] [query] [1]",
        "type [7] [query] [0]",
        "double_click [1]",
        "right_click [1]",
        "hover [1]",
        "drag [3] [5]",
        "scroll [down]",
        "scroll [7] [up]",
        "press [ctrl+a]",
        "wait",
        "goto [https://example.com/[x]]",
        "stop",
        "All is done.\nstop",
        "stop [{\"voltage\": \"1 V\"}]",
        "stop [the voltage is 1 V]",
        "stop\nor rather not",
        "I stop",
        "click [Save]",
        "click [1]\nclick [2]",
        "click 12",
    ]), @r#"
    click [12]
        {"do":"click","at":{"mark":12},"button":"left","held":[]}
    I save it.
    Action: click [12]
        {"do":"click","at":{"mark":12},"button":"left","held":[]}
    ```
    type [7] [some [bracketed] text]
    ```
        {"do":"sequence","actions":[{"do":"click","at":{"mark":7},"button":"left","held":[]},{"do":"type","text":"some [bracketed] text"}]}
    type [7] [query] [1]
        {"do":"sequence","actions":[{"do":"click","at":{"mark":7},"button":"left","held":[]},{"do":"type","text":"query"},{"do":"key","keys":["Enter"]}]}
    type [7] [query] [0]
        {"do":"sequence","actions":[{"do":"click","at":{"mark":7},"button":"left","held":[]},{"do":"type","text":"query"}]}
    double_click [1]
        {"do":"double_click","at":{"mark":1},"button":"left"}
    right_click [1]
        {"do":"click","at":{"mark":1},"button":"right","held":[]}
    hover [1]
        {"do":"move","to":{"mark":1}}
    drag [3] [5]
        {"do":"drag","path":[{"mark":3},{"mark":5}],"button":"left"}
    scroll [down]
        {"do":"scroll","at":null,"dx":0.0,"dy":360.0}
    scroll [7] [up]
        {"do":"scroll","at":{"mark":7},"dx":0.0,"dy":-360.0}
    press [ctrl+a]
        {"do":"key","keys":["ctrl","a"]}
    wait
        {"do":"wait","ms":1000}
    goto [https://example.com/[x]]
        {"do":"goto","url":"https://example.com/[x]"}
    stop
        done
    All is done.
    stop
        done
    stop [{"voltage": "1 V"}]
        {"do":"answer","value":{"voltage":"1 V"}}
    stop [the voltage is 1 V]
        ? an answer is a JSON object with the declared keys
    stop
    or rather not
        ? to end the trial, write the ending action alone on its own line
    I stop
        ? no action found: answer with exactly one action in the published form
    click [Save]
        ? `mark` of `click` must be the number of an element, not "Save"
    click [1]
    click [2]
        ? several actions found: answer with exactly one
    click 12
        ? no action found: answer with exactly one action in the published form
    "#);
}
