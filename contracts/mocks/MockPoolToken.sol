// SPDX-License-Identifier: UNLICENSED
pragma solidity 0.8.36;

/// @title MockPoolToken
/// @notice A token that can misbehave: other decimals, a fee, a silent failure, a call back into its caller.
contract MockPoolToken {
    event Transfer(address indexed from, address indexed to, uint256 amount);
    event Approval(address indexed owner, address indexed spender, uint256 amount);

    uint8 public immutable decimals;
    /// @notice Units that a transfer loses.
    uint256 public fee;
    /// @notice Makes transfers answer false.
    bool public silent;
    /// @notice What a transfer calls back into its caller; empty for nothing.
    bytes public callback;
    mapping(address account => uint256) public balanceOf;

    constructor(uint8 decimals_) {
        decimals = decimals_;
    }

    /// @notice Sets how the next transfers misbehave.
    function misbehave(uint256 fee_, bool silent_, bytes calldata callback_) external {
        (fee, silent, callback) = (fee_, silent_, callback_);
    }

    /// @notice Creates tokens.
    function mint(address to, uint256 amount) external {
        balanceOf[to] += amount;
    }

    /// @notice Every spender is allowed.
    function approve(address spender, uint256 amount) external returns (bool) {
        emit Approval(msg.sender, spender, amount);
        return true;
    }

    /// @notice Sends tokens of the caller.
    function transfer(address to, uint256 amount) external returns (bool) {
        return _move(msg.sender, to, amount);
    }

    /// @notice Sends tokens of an owner.
    function transferFrom(address from, address to, uint256 amount) external returns (bool) {
        return _move(from, to, amount);
    }

    function _move(address from, address to, uint256 amount) private returns (bool) {
        if (silent) return false;
        if (callback.length != 0) _callBack();
        balanceOf[from] -= amount;
        balanceOf[to] += amount - fee;
        emit Transfer(from, to, amount);
        return true;
    }

    /// @dev Calls back once; fails when the call back fails.
    function _callBack() private {
        bytes memory data = callback;
        delete callback;
        (bool ok,) = msg.sender.call(data);
        require(ok, "CALLBACK");
    }
}
